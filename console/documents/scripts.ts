import { build } from 'esbuild';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SiteDocuments } from './site-documents.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

export interface DocumentScripts extends SiteDocuments {
  /** The modules of packages in them: absolute paths. */
  packageModules: string[];
}

/** Bundles the scripts of the pages. */
export async function documentScripts(): Promise<DocumentScripts> {
  const { outputFiles, metafile } = await build({
    entryPoints: { documents: 'console/documents/browser.tsx', theme: 'console/documents/theme.tsx' },
    absWorkingDir: root,
    outdir: 'docs',
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'esm',
    target: ['es2023', 'chrome120', 'firefox121', 'safari17.4'],
    logLevel: 'silent',
  });
  const inputs = Object.keys(metafile.inputs);
  return {
    files: outputFiles.map(({ path, text }) => ({ path: relative(join(root, 'docs'), path), content: text })),
    sources: inputs.filter((path) => !path.startsWith('node_modules/')),
    packageModules: inputs.filter((path) => path.startsWith('node_modules/')).map((path) => join(root, path)),
  };
}
