import {
  expectClean,
  expectColoursClean,
  expectNoSidewaysScroll,
  expectNoViolations,
  sharedTab,
  type Tab,
  useSite,
} from './browser.ts';
import { addDialogObjects, dialogCases, leavePage, openDialog, settings } from './dialogs.ts';

const site = useSite(settings);

beforeAll(() => addDialogObjects(site));

const windows = [
  { viewport: { width: 1440, height: 900 }, colorScheme: 'light', other: 'dark' },
  { viewport: { width: 390, height: 844 }, colorScheme: 'dark', other: 'light' },
] as const;

describe.each(windows)('at $viewport.width px, light and dark,', ({ other, ...options }) => {
  let tab: Tab;

  beforeAll(async () => {
    tab = sharedTab(await site.at('account', options));
  });

  test.each(Object.entries(dialogCases))('axe finds nothing in the dialogs of %s, which fit', async (_, dialogs) => {
    for (const dialog of dialogs) {
      await tab.page.emulateMedia({ colorScheme: options.colorScheme });
      await openDialog(tab.page, site.server.base, dialog);
      await expectNoSidewaysScroll(tab);
      await expectNoViolations(tab);
      await tab.page.emulateMedia({ colorScheme: other });
      await expectColoursClean(tab);
      await leavePage(tab.page, site.server.base);
    }
    expectClean(tab);
  });
});
