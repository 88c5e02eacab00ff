import type { OptionSpec } from './command.ts';
import { formats } from '../output/output.ts';

/** The options of every command, before or after it. No option takes a key: all users of a machine see arguments. */
export const globalOptions: readonly OptionSpec[] = [
  { flags: '--context <name>', description: 'the server of this context (INVENTORY_CONTEXT)' },
  { flags: '--url <url>', description: 'address of the server (INVENTORY_URL)' },
  { flags: '--key-file <file>', description: 'file with the key (INVENTORY_KEY_FILE; the key itself: INVENTORY_KEY)' },
  { flags: '--ca <file>', description: 'certificates of authorities in PEM (INVENTORY_CA)' },
  { flags: '--insecure', description: 'do not verify the certificate (INVENTORY_INSECURE)' },
  { flags: '-o, --output <format>', description: 'format of the result (INVENTORY_OUTPUT)', words: formats },
  { flags: '--columns <a,b>', description: 'columns of the table; label.NAME is a label' },
  { flags: '--no-headers', description: 'no line with the names of the columns' },
  { flags: '-q, --quiet', description: 'no warnings and no progress' },
  { flags: '--debug', description: 'print each request, without secrets' },
  { flags: '--timeout <time>', description: 'longest time of a request, such as 30s' },
];
