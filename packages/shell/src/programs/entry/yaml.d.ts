/** A file of `packages/shell/programs`, which the build turns into a module. */
declare module '*.yaml' {
  const family: { readonly family: string; readonly programs: Readonly<Record<string, unknown>> };
  export default family;
}
