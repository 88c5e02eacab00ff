import type { ComponentType } from 'react';
import { type PageName, pageOf } from './page-of-route.tsx';
import { currentRoute } from '../ui/route.tsx';

/** What is loaded when it is first needed: a script with its own styles. */
const scripts = {
  'object-pages': () => import('./chunks/object-pages.tsx'),
  'inventory-pages': () => import('./chunks/inventory-pages.tsx'),
  'form-page': () => import('../objects/form-page.tsx'),
  'reconcile-page': () => import('../reconcile/reconcile-page.tsx'),
  'removed-page': () => import('../removed/removed-page.tsx'),
  'audit-page': () => import('../audit/audit-page.tsx'),
  'configuration-pages': () => import('./chunks/configuration-pages.tsx'),
};

type Script = keyof typeof scripts | 'shell';

type ConfigurationPage = 'ApiKeysPage' | 'EnrolmentTokensPage' | 'SessionsPage';

const isConfigurationPage = (page: PageName): page is ConfigurationPage =>
  page === 'ApiKeysPage' || page === 'EnrolmentTokensPage' || page === 'SessionsPage';

const isObjectPage = (page: PageName): page is 'NodePage' | 'ServicePage' | 'AgentPage' =>
  page === 'NodePage' || page === 'ServicePage' || page === 'AgentPage';

export function scriptOf(page: PageName): Exclude<Script, 'shell'> {
  if (isObjectPage(page)) return 'object-pages';
  if (page === 'FormPage') return 'form-page';
  if (page === 'ReconcilePage') return 'reconcile-page';
  if (page === 'AuditPage') return 'audit-page';
  if (page === 'RemovedPage') return 'removed-page';
  return isConfigurationPage(page) ? 'configuration-pages' : 'inventory-pages';
}

/** The files of a script that are listed in the head of the page and not loaded yet (see build.ts). */
function waitingLinks(script: Script): { sheets: HTMLLinkElement[]; modules: HTMLLinkElement[] } {
  const links = [...document.querySelectorAll<HTMLLinkElement>(`link[data-pages~="${script}"]`)];
  return {
    sheets: links.filter(({ rel, disabled }) => rel === 'stylesheet' && disabled),
    modules: links.filter(({ rel }) => rel === ''),
  };
}

/** Fetches all scripts that this one imports, at once instead of one after the other. */
export function fetchModules(script: Script): void {
  for (const link of waitingLinks(script).modules) link.rel = 'modulepreload';
}

function loaded(sheet: HTMLLinkElement): Promise<unknown> {
  return new Promise((resolve) => {
    // A page without its styles is better than no page.
    sheet.onload = sheet.onerror = resolve;
    sheet.disabled = false;
  });
}

/** Sheets that are switched on, of which some may still be on their way. */
const sheets = new Map<HTMLLinkElement, Promise<unknown>>();

export async function loadStyles(script: Script): Promise<void> {
  for (const sheet of waitingLinks(script).sheets) sheets.set(sheet, loaded(sheet));
  await Promise.all(sheets.values());
}

async function componentOf(page: PageName): Promise<ComponentType> {
  if (page === 'ReconcilePage') return (await scripts['reconcile-page']()).ReconcilePage;
  if (page === 'AuditPage') return (await scripts['audit-page']()).AuditPage;
  if (page === 'RemovedPage') return (await scripts['removed-page']()).RemovedPage;
  if (page === 'FormPage') return (await scripts['form-page']()).FormPage;
  if (isConfigurationPage(page)) return (await scripts['configuration-pages']())[page];
  if (isObjectPage(page)) return (await scripts['object-pages']())[page];
  return (await scripts['inventory-pages']())[page];
}

export async function loadPage(page: PageName): Promise<{ default: ComponentType }> {
  const script = scriptOf(page);
  fetchModules(script);
  const [component] = await Promise.all([componentOf(page), loadStyles(script)]);
  return { default: component };
}

/**
 * Fetches, without running or showing anything of it, what the page after the log-in needs. Only a hint: where nothing is
 * cached (a certificate that the browser does not trust) the style sheets come again.
 */
export function fetchConsole(): void {
  for (const script of ['shell', scriptOf(pageOf(currentRoute()).page)] as const) {
    fetchModules(script);
    for (const { href } of waitingLinks(script).sheets) {
      const hint = document.createElement('link');
      hint.rel = 'prefetch';
      hint.as = 'style';
      hint.href = href;
      document.head.append(hint);
    }
  }
}
