import { Words } from '../../ui/breakable-text.tsx';
import { Small } from '../../ui/small.tsx';

interface Props {
  of: { role: string; owners?: readonly string[] | undefined };
}

/** The role of a key or a user, and below it the owners that limit it. */
export function Rights({ of: { role, owners } }: Props) {
  return (
    <>
      {role}
      {owners !== undefined && (
        <Small>
          Only <Words text={owners.join(', ')} />
        </Small>
      )}
    </>
  );
}
