import type { ComponentType } from 'react';
import { type PageName, pageOf } from './page-of.tsx';
import { currentRoute } from './route.tsx';

/** What is loaded when it is first needed: a script with its own styles. */
const scripts = {
  shell: () => import('./shell.tsx'),
  'inventory-pages': () => import('./pages/inventory-pages.tsx'),
  'form-page': () => import('./pages/form-page.tsx'),
  'api-keys-page': () => import('./pages/api-keys-page.tsx'),
};

type Script = keyof typeof scripts;

function scriptOf(page: PageName): Exclude<Script, 'shell'> {
  if (page === 'FormPage') return 'form-page';
  return page === 'ApiKeysPage' ? 'api-keys-page' : 'inventory-pages';
}

/** The style sheets of a script; they are listed, switched off, in the head of the page (see build.ts). */
const sheetsOf = (script: Script) =>
  [...document.querySelectorAll<HTMLLinkElement>(`link[data-pages~="${script}"]`)].filter(({ disabled }) => disabled);

async function loadStyles(script: Script): Promise<void> {
  await Promise.all(
    sheetsOf(script).map(
      (link) =>
        new Promise((resolve) => {
          // A page without its styles is better than no page.
          link.onload = link.onerror = resolve;
          link.disabled = false;
        }),
    ),
  );
}

/** The frame of the console, around every page. */
export async function loadShell() {
  const [{ Shell }] = await Promise.all([scripts.shell(), loadStyles('shell')]);
  return { default: Shell };
}

async function componentOf(page: PageName): Promise<ComponentType> {
  if (page === 'FormPage') return (await scripts['form-page']()).FormPage;
  if (page === 'ApiKeysPage') return (await scripts['api-keys-page']()).ApiKeysPage;
  return (await scripts['inventory-pages']())[page];
}

export async function loadPage(page: PageName): Promise<{ default: ComponentType }> {
  const [component] = await Promise.all([componentOf(page), loadStyles(scriptOf(page))]);
  return { default: component };
}

/** Fetches, without showing anything, what the page after the log-in needs. */
export function preloadConsole(): void {
  const script = scriptOf(pageOf(currentRoute()).page);
  // What does not arrive now is asked for again when it is needed.
  void Promise.allSettled([scripts.shell(), scripts[script]()]);
  for (const { href } of new Set([...sheetsOf('shell'), ...sheetsOf(script)])) {
    const hint = document.createElement('link');
    hint.rel = 'prefetch';
    hint.as = 'style';
    hint.href = href;
    document.head.append(hint);
  }
}
