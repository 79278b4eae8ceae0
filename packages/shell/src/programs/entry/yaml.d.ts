/** A file of `packages/shell/programs`, or all of them by their names, which the build turns into a module. */
declare module '*.yaml' {
  const content: unknown;
  export default content;
}
