/** A file of `packages/shell/programs`, another table, or a folder of them by their names, which the build turns into a module. */
declare module '*.yaml' {
  const content: unknown;
  export default content;
}
