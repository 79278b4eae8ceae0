import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

/** Whether a value has the shape of a JSON Schema. */
export function takenBy(schema: object): (value: unknown) => boolean {
  // An unknown keyword, or a format that no check supports, is an error here.
  const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false });
  formats.default(ajv);
  const validate = ajv.compile(schema);
  return (value) => validate(value);
}
