import { installPythonProgram, type PythonProgram } from './python-program.ts';

/** The programs of these tests. Releases of the emulator come several a week, and differ in what they emulate. */
const programs = {
  ministack: { package: 'ministack', version: '1.5.33', program: 'ministack' },
  aws: { package: 'awscli', version: '1.46.2', program: 'aws' },
  checkov: { package: 'checkov', version: '3.3.30', program: 'checkov' },
  parliament: { package: 'parliament', version: '1.6.4', program: 'parliament' },
} as const satisfies Record<string, PythonProgram>;

/** @returns the path of the program, which is installed if it is not. */
export const pathOf = (name: keyof typeof programs): Promise<string> => installPythonProgram(programs[name]);

// Before the tests, of which two at once would install the same program.
if (import.meta.main) await Promise.all(Object.values(programs).map((program) => installPythonProgram(program)));
