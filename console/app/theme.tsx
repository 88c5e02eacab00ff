import { storedPreference } from '../ui/preference.ts';
import { THEME, themes } from '../ui/theme-choice.ts';

const preference = storedPreference(THEME, themes);

const systemIsDark = matchMedia('(prefers-color-scheme: dark)');

function isDark(): boolean {
  const chosen = preference.get();
  return chosen === 'dark' || (chosen === 'system' && systemIsDark.matches);
}

/** Applies the theme. Cloudscape's styles depend on the class. */
function show(): void {
  document.body.classList.toggle('awsui-dark-mode', isDark());
  document.body.dataset['theme'] = preference.get();
}

/** Light or dark: the choice of the user, by default that of the system. */
export const theme = {
  ...preference,
  follow: () => {
    systemIsDark.addEventListener('change', show);
    preference.subscribe(show);
    show();
  },
};
