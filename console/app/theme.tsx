export const themes = ['system', 'light', 'dark'] as const;

export type Theme = (typeof themes)[number];

const STORAGE_KEY = 'theme';

const systemIsDark = matchMedia('(prefers-color-scheme: dark)');

function read(): Theme {
  const stored = localStorage.getItem(STORAGE_KEY);
  return themes.find((theme) => theme === stored) ?? 'system';
}

let chosen = read();
const listeners = new Set<() => void>();

function isDark(): boolean {
  return chosen === 'dark' || (chosen === 'system' && systemIsDark.matches);
}

/** Puts the theme on the page; the class is the one that Cloudscape's styles look for. */
function show(): void {
  document.body.classList.toggle('awsui-dark-mode', isDark());
  document.body.dataset['theme'] = chosen;
  for (const listener of listeners) listener();
}

/** Light or dark: as the system has it, until the user chooses. */
export const theme = {
  chosen: () => chosen,
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  },
  choose: (next: Theme) => {
    chosen = next;
    if (next === 'system') localStorage.removeItem(STORAGE_KEY);
    else localStorage.setItem(STORAGE_KEY, next);
    show();
  },
  follow: () => {
    systemIsDark.addEventListener('change', show);
    show();
  },
};
