import { storedPreference } from '../ui/preference.ts';

export const themes = ['system', 'light', 'dark'] as const;

const preference = storedPreference('theme', themes);

const systemIsDark = matchMedia('(prefers-color-scheme: dark)');

function isDark(): boolean {
  const chosen = preference.get();
  return chosen === 'dark' || (chosen === 'system' && systemIsDark.matches);
}

/** Puts the theme on the page; the class is the one that Cloudscape's styles look for. */
function show(): void {
  document.body.classList.toggle('awsui-dark-mode', isDark());
  document.body.dataset['theme'] = preference.get();
}

/** Light or dark: as the system has it, until the user chooses. */
export const theme = {
  ...preference,
  follow: () => {
    systemIsDark.addEventListener('change', show);
    preference.subscribe(show);
    show();
  },
};
