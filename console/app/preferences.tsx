import type { ButtonDropdownProps } from '@cloudscape-design/components/button-dropdown';
import type { TopNavigationProps } from '@cloudscape-design/components/top-navigation';
import { useSyncExternalStore } from 'react';
import type { Preference } from '../ui/preference.ts';
import { timeZone, timeZones } from '../ui/time-format.ts';
import { theme, themes } from './theme.tsx';

const themeNames = { system: 'System default', light: 'Light', dark: 'Dark' } as const;
const timeZoneNames = { local: 'Local time', utc: 'UTC' } as const;

function choices<T extends string>(
  values: readonly T[],
  names: Readonly<Record<T, string>>,
  chosen: T,
): ButtonDropdownProps.CheckboxItem[] {
  return values.map((id) => ({ id, text: names[id], itemType: 'checkbox', checked: id === chosen }));
}

function chooseIn<T extends string>(preference: Preference<T>, values: readonly T[], id: string): void {
  const next = values.find((value) => value === id);
  if (next !== undefined) preference.choose(next);
}

/** The menu of the top bar with the choices that apply to all pages. */
export function usePreferences(): TopNavigationProps.MenuDropdownUtility {
  const chosenTheme = useSyncExternalStore(theme.subscribe, theme.chosen);
  const chosenZone = useSyncExternalStore(timeZone.subscribe, timeZone.chosen);
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
