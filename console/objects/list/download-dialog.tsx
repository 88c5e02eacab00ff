import Button from '@cloudscape-design/components/button';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { useEffect, useState } from 'react';
import { ApiFailure } from '../../api/client.tsx';
import type { InventoryObject, Kind, ListQuery } from '../../model/kinds.tsx';
import { readAll } from '../../model/read-all.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FailureAlert } from '../../ui/failure-alert.tsx';
import { flash } from '../../ui/flash.ts';
import { saveFile } from '../../ui/save-file.tsx';
import { useLoad } from '../../ui/use-load.tsx';
import { numberText, plural } from '../../ui/words.ts';

export type DownloadFormat = 'csv' | 'json';

/** A number of objects that fits in the memory of a page with certainty. */
const MAX_OBJECTS = 200_000;

async function textOf(objects: readonly object[], format: DownloadFormat): Promise<string> {
  if (format === 'json') return `${JSON.stringify(objects, null, 2)}\n`;
  const { toCsv } = await import('../../model/table-text.ts');
  return toCsv(objects);
}

const types = { csv: 'text/csv', json: 'application/json' } as const;

export interface DownloadProps<T extends InventoryObject> {
  kind: Kind<T>;
  filters: ListQuery;
  format: DownloadFormat;
  close: () => void;
}

/** Reads all objects of a list, not only those of the page, and saves them as a file. */
export function DownloadDialog<T extends InventoryObject>({ kind, filters, format, close }: DownloadProps<T>) {
  const [count, setCount] = useState(0);
  const name = `${kind.folder}.${format}`;
  const { value, failure, reload } = useLoad(['download', name, filters], async (signal) => {
    const objects = await readAll(kind, filters, { signal, progress: setCount, max: MAX_OBJECTS });
    if (objects === undefined)
      throw new ApiFailure(413, { message: `The list has more than ${numberText(MAX_OBJECTS)} objects.` });
    return { text: await textOf(objects, format), total: objects.length };
  });
  useEffect(() => {
    if (value === undefined) return;
    saveFile(name, types[format], value.text);
    flash.add({ type: 'success', content: `${name} contains ${plural(value.total, kind.noun)}.` });
    close();
  }, [value]);
  return (
    <Dialog
      header={`Download ${name}`}
      onDismiss={close}
      buttons={
        <Button variant="link" onClick={close}>
          Cancel
        </Button>
      }
    >
      {failure === undefined ? (
        <StatusIndicator type="loading">{plural(count, kind.noun)} read</StatusIndicator>
      ) : (
        <FailureAlert failure={failure} what={`The ${kind.folder} could not be read`} retry={reload} />
      )}
    </Dialog>
  );
}
