import { errorCode } from '@ambit/core';
/** The error says how to install a missing package. */
export async function loadOptional<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (errorCode(error) !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new Error(`the package \`${name}\` is not installed here: npm install ${name}`, { cause: error });
  }
}
