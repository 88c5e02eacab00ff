import type { CommandCall } from '../command.ts';
import { CommandError } from '../exit-codes.ts';

/** Each script passes the words before the cursor to the program, which prints one proposal per line. */
const scripts = new Map([
  [
    'bash',
    `_inventory() {
  local IFS=$'\\n' words="\${COMP_LINE:0:COMP_POINT}"
  COMPREPLY=($(inventory __complete -- "$words" 2>/dev/null))
  # Bash breaks words at colons and equal signs: only the part after the last one is replaced.
  local word="\${words##*[[:space:]]}" part
  part="\${word%"\${word##*[:=]}"}"
  COMPREPLY=("\${COMPREPLY[@]#"$part"}")
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
  [[ -n "$found[1]" ]] && compadd -Q -- "\${found[@]}" || _files
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
