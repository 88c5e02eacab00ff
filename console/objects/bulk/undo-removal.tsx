import Button from '@cloudscape-design/components/button';
import Link from '@cloudscape-design/components/link';
import { useState } from 'react';
import { undoRemoval } from '../../model/restore.tsx';
import { Words } from '../../ui/breakable-text.tsx';
import { flash } from '../../ui/flash.ts';
import { go, href } from '../../ui/route.tsx';
import { failureOf } from '../../ui/use-load.tsx';
import { plural } from '../../ui/words.ts';

interface UndoTarget {
  folder: 'nodes' | 'services' | 'agents';
  noun: string;
  id: string;
  name: string;
}

const removedPage = (
  <Link href={href(['removed'])} color="inverted">
    Removed
  </Link>
);

async function undo({ folder, noun, id, name }: UndoTarget): Promise<void> {
  const page = href([folder, id]);
  const isAtList = location.hash === href([folder]);
  try {
    const { restored, not_restored: left } = await undoRemoval(id);
    const others = restored.length - 1;
    flash.add(
      {
        type: left.length === 0 ? 'success' : 'warning',
        content: (
          <>
            The {noun}{' '}
            <Link href={page} color="inverted">
              <Words text={name} />
            </Link>{' '}
            was restored{others > 0 && ` with ${plural(others, 'dependent object')}`}.
            {left.length > 0 && (
              <>
                {' '}
                {plural(left.length, 'object')} could not be restored. See {removedPage}.
              </>
            )}
          </>
        ),
      },
      { pages: isAtList ? 1 : 0 },
    );
    // The list was loaded without the object.
    if (isAtList && restored.some((object) => object.id === id)) go(page);
  } catch (error) {
    flash.add({
      type: 'error',
      header: `The ${noun} could not be restored`,
      content: (
        <>
          <span className="any-word">{failureOf(error).message}</span> See {removedPage}.
        </>
      ),
    });
  }
}

function UndoButton({ removed, done }: { removed: UndoTarget; done: () => void }) {
  const [busy, setBusy] = useState(false);
  return (
    <Button
      loading={busy}
      loadingText="Restoring"
      ariaLabel={`Undo the removal of ${removed.name}`}
      onClick={() => {
        setBusy(true);
        void undo(removed).finally(done);
      }}
    >
      Undo
    </Button>
  );
}

/**
 * Shows a message about a removal, with a button that restores the object. The message stays for one change of the
 * page.
 */
export function offerUndo(removed: UndoTarget, text: string): void {
  const id = flash.add(
    {
      type: 'success',
      content: text,
      action: <UndoButton removed={removed} done={() => flash.dismiss(id)} />,
    },
    { pages: 1 },
  );
}
