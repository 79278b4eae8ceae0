/** Turns the changesets of a checkout into versions and changelogs, and gives the new version. */
export function writeVersions(checkout?: string, today?: Date): string;
/** Writes what an install of these tarballs holds, as CycloneDX, and the digests of all files. */
export function writeEvidence(out: string, tarballs: readonly string[]): void;
