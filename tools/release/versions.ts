const VERSION = /^(\d+)\.(\d+)\.(\d+)$/;

const numbersOf = (version: string): readonly number[] => VERSION.exec(version)?.slice(1).map(Number) ?? [];

/** Whether a version is later than another one, both without `-dev`. */
export function isLater(version: string, than: string): boolean {
  const [left, right] = [numbersOf(version), numbersOf(than)];
  const index = left.findIndex((number, at) => number !== right[at]);
  return index >= 0 && (left[index] ?? 0) > (right[index] ?? 0);
}

/**
 * Checks the number of a release.
 *
 * @param last the last release.
 * @throws Error for a number that is none, or not a later one.
 */
export function checkVersion(version: string, last: string): void {
  if (!VERSION.test(version)) throw new Error(`"${version}" is no version: give three numbers, such as 0.2.0.`);
  if (!isLater(version, last)) throw new Error(`${version} is not later than ${last}, the last release.`);
}

/** The version of builds after a release. */
export function nextVersion(version: string): string {
  const [major, minor = 0] = numbersOf(version);
  return `${major}.${minor + 1}.0-dev`;
}

/** A text of package.json or the lockfile with another version of this project. */
export const withVersion = (text: string, version: string): string =>
  text.replaceAll(/("name": "monitoring-inventory",\s+"version": ")[^"]*"/g, `$1${version}"`);
