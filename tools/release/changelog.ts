const UNRELEASED = '## [Unreleased]';

/** The changelog with the section of a release, and an empty one for what follows. */
export interface ReleaseChangelog {
  readonly changelog: string;
  /** The text of the section, without its heading. */
  readonly section: string;
}

/**
 * Makes the section of what is not released that of a version.
 *
 * @param day `2026-01-31`
 * @throws Error if the section is empty, absent, or the version has one.
 */
export function releaseSection(changelog: string, version: string, day: string): ReleaseChangelog {
  const [before, rest] = changelog.split(`${UNRELEASED}\n`);
  if (before === undefined || rest === undefined) throw new Error(`CHANGELOG.md has no section ${UNRELEASED}.`);
  if (changelog.includes(`## [${version}]`)) throw new Error(`CHANGELOG.md has a section of ${version} already.`);
  const section = rest
    .split(/^## \[/m, 1)
    .join()
    .trim();
  if (section === '')
    throw new Error(`CHANGELOG.md says nothing in ${UNRELEASED}: what does a user get or have to do?`);
  return { changelog: `${before}${UNRELEASED}\n\n## [${version}] - ${day}\n${rest}`, section };
}
