/** Folders by the names of areas. */
const areas = new Map([
  ['store', 'functions/store'],
  ['api', 'functions/api'],
  ['gateway', 'gateway'],
  ['cli', 'clients/cli/src'],
  ['console', 'console'],
]);

export const allAreas = [...areas.keys()].join(',');

const isProduction = (path: string) => /\.tsx?$/.test(path) && !/\.(test|d)\.tsx?$|\/(generated|testing)\//.test(path);

/**
 * The production files of each area of a list: `store,console/ui+console/users`. An area is a name, or folders and files from
 * the root, joined by `+`.
 *
 * @throws if a folder has no production file.
 */
export function filesOfAreas(list: string, paths: readonly string[]): string[][] {
  const filesOf = (part: string) => {
    const place = areas.get(part) ?? part;
    const files = paths.filter((path) => isProduction(path) && (path === place || path.startsWith(`${place}/`)));
    if (files.length === 0) throw new Error(`--over takes ${allAreas}, folders and files from the root: "${part}"`);
    return files;
  };
  return list.split(',').map((area) => [...new Set(area.split('+').flatMap(filesOf))].sort());
}
