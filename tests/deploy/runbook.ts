import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deployerEnvironment, type DeployTarget } from './cdk.ts';
import { run } from './processes.ts';
import { fencedBlocks } from '../support/fenced-blocks.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const LIMIT_MS = 600_000;

/** docs/runbook.md and docs/maintenance.md, followed by pasting their commands into a shell. */
export class Runbook {
  private readonly text: string;
  private readonly target: DeployTarget;
  private readonly aws: string;

  private constructor(text: string, target: DeployTarget, aws: string) {
    this.text = text;
    this.target = target;
    this.aws = aws;
  }

  /** @param aws where AWS's command-line tool is installed. */
  static async open(target: DeployTarget, aws: string): Promise<Runbook> {
    const read = (name: string) => readFile(join(root, 'docs', name), 'utf8');
    return new Runbook(`${await read('runbook.md')}\n${await read('maintenance.md')}`, target, aws);
  }

  /** The commands of one article. */
  article(title: string): string[] {
    const [, rest] = this.text.split(`\n## ${title}\n`);
    if (rest === undefined) throw new Error(`The runbook has no article "${title}".`);
    return fencedBlocks(rest.split('\n## ')[0]!, 'sh');
  }

  /** Runs commands after those that the runbook begins with; resolves with what they print. */
  follow(commands: string): Promise<string> {
    const [names = ''] = fencedBlocks(this.text, 'sh');
    const { PATH, ...environment } = deployerEnvironment(this.target);
    const env = { ...environment, PATH: `${dirname(this.aws)}:${PATH ?? ''}`, AWS_PAGER: '' };
    const script = `set -euo pipefail\n${names}\n${commands}`;
    return run(['bash', '-c', script], { cwd: root, env, limitMilliseconds: LIMIT_MS });
  }
}
