import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type BuildOptions, type Metafile, type OutputFile, type Plugin } from 'esbuild';

const root = fileURLToPath(new URL('../', import.meta.url));
const source = 'console';
const entryPoint = `${source}/main.tsx`;

/** Marks the place of the scripts and styles in index.html. */
const ASSETS = '<!-- assets -->';

/** The folder of all files but index.html. Their names contain the hash of their content, so caches may keep them. */
const ASSETS_FOLDER = 'assets';

const options = {
  absWorkingDir: root,
  bundle: true,
  minify: true,
  metafile: true,
  write: false,
  platform: 'browser',
  target: ['es2023', 'chrome120', 'firefox121', 'safari17.4'],
  legalComments: 'none',
} as const satisfies BuildOptions;

/**
 * Styles that scripts import, as modules that do nothing. esbuild would put all styles that an entry point reaches into
 * one file each, the common 45 kB again in every one; this way they are split as the scripts are (see `stylesOf`). The
 * look at a property may have an effect for all that esbuild knows, so the module keeps its place in a script.
 */
const styleMarks: Plugin = {
  name: 'style-marks',
  setup(esbuild) {
    esbuild.onLoad({ filter: /\.css$/ }, () => ({ contents: 'self.css', loader: 'js' }));
  },
};

/** The fonts of Cloudscape stand in its style sheet as data URLs. As files they pass `font-src 'self'`, and load on demand. */
const fontFiles: Plugin = {
  name: 'font-files',
  setup(esbuild) {
    esbuild.onResolve({ filter: /^data:font\/woff2;base64,/ }, ({ path }) => ({
      path: `${path}.woff2`,
      namespace: 'font',
    }));
    esbuild.onLoad({ filter: /.*/, namespace: 'font' }, ({ path }) => ({
      contents: Buffer.from(path.slice(path.indexOf(',') + 1, -'.woff2'.length), 'base64'),
      loader: 'file',
    }));
  },
};

type Output = Metafile['outputs'][string];

/** A script and every script that it cannot run without; with `all`, also those that it loads when it needs them. */
function closure(script: string, outputs: Metafile['outputs'], all = false, found = new Set<string>()): Set<string> {
  if (found.has(script)) return found;
  found.add(script);
  for (const { path, kind } of outputs[script]?.imports ?? [])
    if (kind === 'import-statement' || all) closure(path, outputs, all, found);
  return found;
}

/** The scripts: one per page and one per set of pages that share code. */
async function buildScripts(outdir: string, reload: boolean): Promise<{ files: OutputFile[]; metafile: Metafile }> {
  const { outputFiles, metafile } = await build({
    ...options,
    entryPoints: [entryPoint],
    outdir,
    entryNames: `${ASSETS_FOLDER}/[name]-[hash]`,
    chunkNames: `${ASSETS_FOLDER}/[name]-[hash]`,
    format: 'esm',
    splitting: true,
    jsx: 'automatic',
    define: {
      'process.env.NODE_ENV': '"production"',
      'process.env.CONSOLE_RELOAD': reload ? '"1"' : '""',
    },
    plugins: [styleMarks],
  });
  // Without what nothing loads: the messages of Cloudscape in fifteen other languages.
  const [main] = Object.entries(metafile.outputs).find(([, output]) => output.entryPoint === entryPoint) ?? [''];
  const outputs = Object.fromEntries(
    [...closure(main, metafile.outputs, true)].flatMap((path) => {
      const output = metafile.outputs[path];
      return output === undefined ? [] : [[path, output]];
    }),
  );
  return {
    files: outputFiles.filter(({ path }) => Object.hasOwn(outputs, relative(root, path))),
    metafile: { ...metafile, outputs },
  };
}

/** The styles that belong to a script, in their order. */
const stylesOf = ({ inputs }: Output) => Object.keys(inputs).filter((input) => input.endsWith('.css'));

/** One style sheet for each script that has styles, by the path of the script. */
async function buildStyles(
  outdir: string,
  { outputs }: Metafile,
): Promise<{ files: OutputFile[]; sheets: Map<string, string> }> {
  const wanted = new Map(
    Object.entries(outputs)
      .map(([script, output]): [string, string[]] => [script, stylesOf(output)])
      .filter(([, styles]) => styles.length > 0),
  );
  const imports: Plugin = {
    name: 'imports',
    setup(esbuild) {
      esbuild.onResolve({ filter: /^styles:/ }, ({ path }) => ({ path, namespace: 'styles' }));
      esbuild.onLoad({ filter: /.*/, namespace: 'styles' }, ({ path }) => ({
        contents: (wanted.get(path.slice('styles:'.length)) ?? [])
          .map((style) => `@import ${JSON.stringify(`./${style}`)};`)
          .join('\n'),
        loader: 'css',
        resolveDir: root,
      }));
    },
  };
  const { outputFiles, metafile } = await build({
    ...options,
    entryPoints: [...wanted.keys()].map((script) => ({
      in: `styles:${script}`,
      out: basename(script).replace(/-[A-Z0-9]+\.js$/, ''),
    })),
    outdir,
    entryNames: `${ASSETS_FOLDER}/[name]-[hash]`,
    assetNames: `${ASSETS_FOLDER}/font-[hash]`,
    loader: { '.woff2': 'file' },
    plugins: [imports, fontFiles],
  });
  const sheets = new Map(
    Object.entries(metafile.outputs).flatMap(([path, { entryPoint: entry }]): [string, string][] =>
      entry === undefined ? [] : [[entry.replace(/^(styles:)+/, ''), path]],
    ),
  );
  return { files: outputFiles, sheets };
}

/** `console/objects/form-page.tsx` is the page `form-page`. */
const pageName = (entry: string) => basename(entry).replace(/\.tsx?$/, '');

/**
 * Links to the scripts and styles of the log-in page, and to those of the other pages in a form that loads nothing:
 * style sheets are switched off, scripts have no `rel`. `load-page.tsx` switches on what a page needs, all at once. So
 * style sheets have their order from the start, and no script has to know the names of other files.
 */
function links({ outputs }: Metafile, sheets: ReadonlyMap<string, string>, url: (path: string) => string): string[] {
  const entries = Object.entries(outputs).flatMap(([script, { entryPoint: entry }]) =>
    entry === undefined ? [] : [{ script, page: pageName(entry), scripts: closure(script, outputs) }],
  );
  const main = entries.find(({ page }) => page === 'main');
  if (main === undefined) throw new Error('the console has no entry point');
  const isFirst = (script: string) => main.scripts.has(script);
  const pagesOf = (script: string) => {
    const pages = entries.filter(({ scripts }) => scripts.has(script)).map(({ page }) => page);
    return `data-pages="${pages.sort().join(' ')}"`;
  };
  return [
    ...[...sheets].map(([script, sheet]) =>
      isFirst(script)
        ? `<link rel="stylesheet" href="${url(sheet)}" />`
        : `<link rel="stylesheet" href="${url(sheet)}" ${pagesOf(script)} disabled />`,
    ),
    ...Object.keys(outputs)
      .filter((script) => script !== main.script)
      .map((script) =>
        isFirst(script)
          ? `<link rel="modulepreload" href="${url(script)}" />`
          : `<link href="${url(script)}" ${pagesOf(script)} />`,
      ),
    `<script type="module" src="${url(main.script)}"></script>`,
  ];
}

export interface ConsoleBuild {
  /** The files of this repository that it was made from, relative to its root. */
  sources: string[];
}

/**
 * Builds the console: `index.html`, and under `assets/` all that it loads.
 *
 * @param outdir absolute, or relative to the working directory; what else is in it is removed.
 * @param reload whether an open page reloads when it is built again.
 */
export async function buildConsole(outdir: string, reload = false): Promise<ConsoleBuild> {
  const folder = resolve(outdir);
  const [scripts, template, icon] = await Promise.all([
    buildScripts(folder, reload),
    readFile(join(root, source, 'index.html'), 'utf8'),
    readFile(join(root, source, 'favicon.svg')),
  ]);
  const styles = await buildStyles(folder, scripts.metafile);
  const url = (path: string) => `/${relative(folder, join(root, path))}`;
  const head = links(scripts.metafile, styles.sheets, url);
  const page = template.replace(ASSETS, ['<link rel="icon" href="/favicon.svg" />', ...head].join('\n    '));

  const files = new Map<string, Uint8Array | string>([
    ...[...scripts.files, ...styles.files].map(({ path, contents }): [string, Uint8Array] => [path, contents]),
    [join(folder, 'favicon.svg'), icon],
  ]);
  await mkdir(join(folder, ASSETS_FOLDER), { recursive: true });
  await Promise.all([...files].map(([path, contents]) => writeFile(path, contents)));
  // Last, so that a page that is there has all its files.
  const index = join(folder, 'index.html');
  await writeFile(index, page);
  await removeOthers(folder, new Set([...files.keys(), index]));
  return {
    sources: [
      ...Object.keys(scripts.metafile.inputs).filter((path) => !path.includes('node_modules/') && !path.includes(':')),
      `${source}/index.html`,
      `${source}/favicon.svg`,
      `${source}/build.ts`,
      'package-lock.json',
    ],
  };
}

async function removeOthers(folder: string, wanted: ReadonlySet<string>): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  await Promise.all(files.filter((file) => !wanted.has(file)).map((file) => rm(file, { force: true })));
}

if (import.meta.main) await buildConsole(process.argv[2] ?? join(dirname(import.meta.dirname), 'dist', source));
