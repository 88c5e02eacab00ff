import type { ButtonDropdownProps } from '@cloudscape-design/components/button-dropdown';
import type { TopNavigationProps } from '@cloudscape-design/components/top-navigation';
import { type Store, useStore } from '../api/store.ts';
import { timeZone, timeZones } from '../ui/time-format.ts';
import { theme } from './theme.tsx';
import { themes } from '../ui/theme-choice.ts';

const themeNames = { system: 'System default', light: 'Light', dark: 'Dark' } as const;
const timeZoneNames = { local: 'Local time', utc: 'UTC' } as const;

function choices<T extends string>(
  values: readonly T[],
  names: Readonly<Record<T, string>>,
  chosen: T,
): ButtonDropdownProps.CheckboxItem[] {
  return values.map((id) => ({ id, text: names[id], itemType: 'checkbox', checked: id === chosen }));
}

function chooseIn<T extends string>(preference: Store<T>, values: readonly T[], id: string): void {
  const next = values.find((value) => value === id);
  if (next !== undefined) preference.set(next);
}

/** The menu of the top bar with the choices that apply to all pages. */
export function usePreferences(): TopNavigationProps.MenuDropdownUtility {
  const chosenTheme = useStore(theme);
  const chosenZone = useStore(timeZone);
  return {
    type: 'menu-dropdown',
    iconName: 'settings',
    ariaLabel: 'Preferences',
    title: 'Preferences',
    items: [
      { id: 'theme', text: 'Appearance', items: choices(themes, themeNames, chosenTheme) },
      { id: 'time', text: 'Times', items: choices(timeZones, timeZoneNames, chosenZone) },
    ],
    onItemClick: ({ detail }) => {
      chooseIn(theme, themes, detail.id);
      chooseIn(timeZone, timeZones, detail.id);
    },
  };
}
