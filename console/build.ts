import { readdirSync, readFileSync } from 'node:fs';
import { dirname, extname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type HtmlTagDescriptor, type Plugin, type Rolldown } from 'vite';
import * as z from 'zod/mini';
import { documentScripts } from './documents/scripts.ts';
import { type SiteDocuments, siteDocuments } from './documents/site-documents.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const source = join(root, 'console');

/** The fonts that every page shows, by weight and style, with the names of their files. */
const firstFonts: Readonly<Record<string, string>> = {
  '400 normal': 'regular-font.woff2',
  '400 italic': 'italic-font.woff2',
  '700 normal': 'bold-font.woff2',
};

/**
 * The fonts of Cloudscape stand in its style sheet as data URLs. As files they pass `font-src 'self'`, and the others load
 * on demand.
 */
const fontFiles: Plugin = {
  name: 'font-files',
  enforce: 'pre',
  transform: {
    filter: { id: /\.css$/ },
    handler(code) {
      const face = /(font-weight: (\d+);\s*font-style: (\w+);[^}]*?)data:font\/woff2;base64,([^"')]+)/g;
      return code.replace(face, (_, before: string, weight: string, style: string, font: string) => {
        const name = firstFonts[`${weight} ${style}`] ?? 'font.woff2';
        const file = this.emitFile({ type: 'asset', name, source: Buffer.from(font, 'base64') });
        return `${before}__VITE_ASSET__${file}__`;
      });
    },
  },
};

/**
 * The files for the pages after the log-in: the frame of the console, the overview, and the lists of nodes, services and
 * agents.
 */
const FIRST_PAGES = /\/(?:shell|overview\/overview-page|chunks\/inventory-pages)\.tsx$/;

/** The scripts and styles that no script of the log-in page imports, and the fonts. */
function filesOfFirstPages(bundle: Rolldown.OutputBundle): string[] {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
  const files = new Set<string>();
  const add = (chunk: Rolldown.OutputChunk): void => {
    if (chunk.isEntry || files.has(chunk.fileName)) return;
    files.add(chunk.fileName);
    for (const sheet of chunk.viteMetadata?.importedCss ?? []) files.add(sheet);
    for (const imported of chunks) if (chunk.imports.includes(imported.fileName)) add(imported);
  };
  for (const chunk of chunks) if (FIRST_PAGES.test(chunk.facadeModuleId ?? '')) add(chunk);
  const names = Object.values(firstFonts);
  const fonts = Object.values(bundle).filter(
    (file) => file.type === 'asset' && file.names.some((assetName) => names.includes(assetName)),
  );
  return [...files, ...fonts.map(({ fileName }) => fileName)];
}

/** The attribute `as` of links, by the ending of the file: https://developer.mozilla.org/en-US/docs/Web/HTML/Reference/Elements/link#as */
const kinds: Readonly<Record<string, string>> = { '.css': 'style', '.js': 'script', '.woff2': 'font' };

/**
 * Few scripts instead of one for each set of pages that share a module: every request has headers, and a long file
 * compresses better than its parts. The log-in page, what loads the console, its frame, and the modules of many pages are
 * one script each.
 */
const codeSplitting: Rolldown.CodeSplittingOptions = {
  groups: [
    { name: 'log-in', tags: ['$initial'], priority: 3 },
    // Small, as it asks for the numbers of the overview and for all other scripts.
    { name: 'start', test: /\/console\/(?:app\/load-shell|overview\/load-summary)\.tsx$/, priority: 2 },
    { name: 'frame', test: /\/console\/app\/shell\.tsx$/, priority: 1 },
    { name: 'shared', minShareCount: 12 },
  ],
};

/**
 * Links of the log-in page that load nothing until `fetchConsole` or `preloadFonts` gives them their address. Without one, as Vite does not
 * preload a script whose address a link has already.
 */
const firstPages: Plugin = {
  name: 'first-pages',
  transformIndexHtml: {
    order: 'post',
    handler: (_, { bundle = {} }): HtmlTagDescriptor[] =>
      filesOfFirstPages(bundle).map((file) => ({
        tag: 'link',
        // Browsers load every font as if it came from elsewhere.
        attrs: { 'data-first-page': `./${file}`, as: kinds[extname(file)], crossorigin: extname(file) === '.woff2' },
        injectTo: 'head',
      })),
  },
};

/** The documents, as pages below `docs`, with the fonts of the console. */
function documents({ files }: SiteDocuments): Plugin {
  return {
    name: 'documents',
    generateBundle(_, bundle) {
      const fonts = Object.values(bundle).filter((file) => file.type === 'asset' && /\.woff2$/.test(file.fileName));
      const withFonts = (style: string) =>
        style.replace(/url\('([a-z-]+\.woff2)'\)/g, (_whole, name: string) => {
          const font = fonts.find((file) => file.type === 'asset' && file.names.includes(name));
          if (font === undefined) throw new Error(`Cloudscape has no ${name}.`);
          return `url('../${font.fileName}')`;
        });
      for (const { path, content } of files) {
        const source = typeof content === 'string' && path.endsWith('.css') ? withFonts(content) : content;
        this.emitFile({ type: 'asset', fileName: `docs/${path}`, source });
      }
    },
  };
}

/** The licences of the packages require that their text accompanies copies. */
const LICENCES = 'licenses.txt';

/** The folder of the package that a module belongs to. */
const PACKAGE = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/;

const packageSchema = z.object({ name: z.string(), version: z.string(), license: z.string() });

/** The licence of the package in a folder, in the form of Vite. */
function licenceIn(folder: string): string {
  const { name, version, license } = z.parse(
    packageSchema,
    JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')),
  );
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  if (file === undefined) throw new Error(`${name} has no file with its licence.`);
  return `\n## ${name} - ${version} (${license})\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
}

/** Adds the licences of packages that only the worker and the documents have: Vite lists those of other scripts. */
function otherLicences(modules: ReadonlySet<string>): Plugin {
  return {
    name: 'other-licences',
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        const listed = bundle[LICENCES];
        if (listed?.type !== 'asset') throw new Error(`Vite wrote no ${LICENCES}.`);
        const folders = new Set([...modules].flatMap((id) => PACKAGE.exec(id)?.[0] ?? []));
        const added = [...folders].map(licenceIn).filter((text) => !String(listed.source).includes(text));
        listed.source = [String(listed.source), ...added.toSorted()].join('');
      },
    },
  };
}

export interface ConsoleBuild {
  /** The files of this repository that it was made from, relative to its root. */
  sources: string[];
}

/**
 * Builds the console: `index.html`, its icon, the documents under `docs`, and under `assets` all that it loads. The
 * names of those files contain the hash of their content, so caches may keep them.
 *
 * @param outdir absolute, or relative to the working directory; what else is in it is removed.
 * @param reload whether an open page reloads when it is built again.
 */
export async function buildConsole(outdir: string, reload = false): Promise<ConsoleBuild> {
  const modules = new Set<string>();
  const sourcesIn = (ids: Set<string>): Plugin => ({
    name: 'sources',
    moduleParsed: ({ id }) => void ids.add(id.replace(/\?.*$/, '')),
  });
  const [pages, scripts] = await Promise.all([siteDocuments(), documentScripts()]);
  const ofOthers = new Set(scripts.packageModules);
  await build({
    configFile: false,
    root: source,
    // Relative: without CloudFront, the console is below the stage of the API.
    base: './',
    // Every component of Cloudscape has a directive for servers, and each would be a warning.
    logLevel: 'error',
    plugins: [
      fontFiles,
      firstPages,
      documents({ ...pages, files: [...pages.files, ...scripts.files] }),
      sourcesIn(modules),
      otherLicences(ofOthers),
    ],
    worker: {
      format: 'es',
      plugins: () => [sourcesIn(ofOthers)],
      rolldownOptions: { output: { hashCharacters: 'hex' } },
    },
    // Otherwise it follows NODE_ENV, which is `test` in a test that builds the console.
    oxc: { jsx: { runtime: 'automatic', development: false } },
    define: { 'process.env.NODE_ENV': '"production"', 'process.env.CONSOLE_RELOAD': reload ? '"1"' : '""' },
    build: {
      outDir: resolve(outdir),
      emptyOutDir: true,
      target: ['es2023', 'chrome120', 'firefox121', 'safari17.4'],
      // The Content-Security-Policy allows no data URLs for styles and fonts, and every browser of `target` preloads modules.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      license: { fileName: LICENCES },
      // The server recognises such a name (shared/http/static-files.ts).
      rolldownOptions: { output: { hashCharacters: 'hex', codeSplitting } },
    },
  });
  const parts = [
    'index.html',
    'public/favicon.svg',
    'build.ts',
    ...['diagram', 'escaped', 'groups', 'markdown', 'page', 'site-documents'].map((name) => `documents/${name}.ts`),
  ];
  const files = [...modules, ...ofOthers, ...parts.map((path) => join(source, path))];
  return {
    sources: [
      ...files.map((file) => relative(root, file)),
      ...pages.sources,
      ...scripts.sources,
      'package-lock.json',
    ].filter((file) => !/^\.\.|\0|node_modules\//.test(file)),
  };
}

if (import.meta.main) await buildConsole(process.argv[2] ?? join(dirname(import.meta.dirname), 'dist/console'));
