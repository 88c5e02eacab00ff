/** Each dialog of the console has a case in which axe looks at it (`tests/browser/dialogs.test.ts`). */
import { dialogCases } from './browser/dialogs.ts';
import { consoleModules } from './support/test-sources.ts';

/** The components of Cloudscape that open a dialog. */
const windows = ['Modal', 'CollectionPreferences', 'DatePicker', 'DateRangePicker'];

/** The modules of the dialogs that others fill. */
const frames: Readonly<Record<string, string>> = {
  'console/ui/dialog.tsx': 'Dialog',
  'console/ui/form-dialog.tsx': 'FormDialog',
  'console/ui/secret-dialog.tsx': 'SecretDialog',
};

const modulesWithText = await consoleModules();

/** The number of elements of these components in each module that has some. */
function elementsOf(components: readonly string[]): Map<string, number> {
  const element = new RegExp(`<(${components.join('|')})(?=[\\s>])`, 'g');
  const counts = modulesWithText.map(([path, { text }]) => [path, text.match(element)?.length ?? 0] as const);
  return new Map(counts.filter(([, count]) => count > 0));
}

const dialogElements = elementsOf([...windows, ...Object.values(frames)]);

test('axe looks at the dialogs of each module that has some', () => {
  const modules = [...dialogElements.keys()].filter((path) => !(path in frames));
  expect(Object.keys(dialogCases).sort()).toEqual(modules.sort());
});

test('a module has a case for each of its dialogs', () => {
  const missing = Object.entries(dialogCases).filter(([path, cases]) => cases.length < dialogElements.get(path)!);
  expect(missing.map(([path]) => path)).toEqual([]);
});

test('only the frame of all dialogs uses the window of Cloudscape', () => {
  expect([...elementsOf(['Modal']).keys()]).toEqual(['console/ui/dialog.tsx']);
});
