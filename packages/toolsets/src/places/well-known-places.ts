// oxlint-disable-next-line typescript/triple-slash-reference
/// <reference path="../../../../scripts/yaml.d.ts" />
import data from './well-known-places.yaml';

/** Well-known places, and the capabilities of touching them besides reading or writing a file. */
export interface WellKnownPlace {
  /** `secret.read` for reads, `sys.persist` for writes. */
  readonly capability: 'secret.read' | 'sys.persist';
  readonly what: string;
  /** `**` is any folders, `*` any text in a name, `~` the user's home. */
  readonly places: readonly string[];
  readonly except?: readonly string[];
  /** The file in the same folder without which these places hold none. */
  readonly beside?: string;
}

/** Places with blanks between them, by what they hold. */
type Places = Readonly<Record<string, string>>;
const places = data as Readonly<Record<WellKnownPlace['capability'] | 'except', Places>>;

/** The one table, for every toolset. */
export const wellKnown: readonly WellKnownPlace[] = (['secret.read', 'sys.persist'] as const).flatMap(
  (capability) =>
    Object.entries(places[capability]).map(([what, text]): WellKnownPlace => {
      const except = places.except[what]?.split(' ');
      const beside = / beside (\S+)$/.exec(what)?.[1];
      const more = { ...(except !== undefined && { except }), ...(beside !== undefined && { beside }) };
      return { capability, what, places: text.split(' '), ...more };
    }),
);
