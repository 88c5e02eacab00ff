import type { CommandCall } from '../command/command.ts';
import { CommandError } from '../core/exit-codes.ts';

/** Each script passes the words before the cursor to the program, which prints one proposal per line. */
const scripts = new Map([
  [
    'bash',
    `_inventory() {
  local one
  COMPREPLY=()
  while IFS= read -r one; do COMPREPLY+=("$one"); done \\
    < <(inventory __complete --breaks "$COMP_WORDBREAKS" -- "\${COMP_LINE:0:COMP_POINT}" 2>/dev/null)
  # No space after a kind or a field: a name or a value follows.
  case "\${COMPREPLY[0]}" in *[/=.]) compopt -o nospace 2>/dev/null ;; esac
}
complete -o default -F _inventory inventory minv
`,
  ],
  [
    'zsh',
    `#compdef inventory minv
_inventory() {
  local -a found
  found=("\${(@f)$(inventory __complete -- "$BUFFER[1,CURSOR]" 2>/dev/null)}")
  [[ -n "$found[1]" ]] || { _files; return }
  # No space after a kind or a field: a name or a value follows.
  compadd -S '' -- "\${(@M)found:#*[/=.]}"
  compadd -- "\${(@)found:#*[/=.]}"
}
compdef _inventory inventory minv
`,
  ],
  ['fish', `complete -c inventory -c minv -a '(inventory __complete -- (commandline -cp) 2>/dev/null)'\n`],
]);

export function run({ args: [shell = ''], output }: CommandCall): Promise<undefined> {
  const script = scripts.get(shell);
  if (script === undefined)
    throw new CommandError(`No such shell: ${shell}. There are: ${[...scripts.keys()].join(', ')}.`);
  output.text(script);
  return Promise.resolve(undefined);
}
