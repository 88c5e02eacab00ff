/** The digits of a commit in a version. */
const COMMIT_DIGITS = 8;

/**
 * The version of a build: `0.2.0` of a release, `0.3.0-dev+1a2b3c4d` of another commit.
 *
 * @param version that of package.json: the release, or between releases the next one with `-dev`.
 */
export function versionOf(version: string, commit: string): string {
  const isRelease = !version.endsWith('-dev');
  return isRelease || commit === 'unknown' ? version : `${version}+${commit.slice(0, COMMIT_DIGITS)}`;
}

/** The version without the commit, the same for all builds until the next release. */
export const withoutCommit = (version: string): string => version.split('+', 1).join();
