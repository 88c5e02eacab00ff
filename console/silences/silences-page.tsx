import { endpoint as listSilences } from '../../functions/api/silences/list/endpoint.ts';
import { requestOf } from '../api/client.tsx';
import { type Silence, useSilences } from '../model/silences.tsx';
import { SilenceButton } from '../objects/bulk/silence-button.tsx';
import { EndButton } from '../objects/bulk/silence-marks.tsx';
import { Expiry } from '../objects/cells/expiry.tsx';
import { Words } from '../ui/breakable-text.tsx';
import { createdColumn, creatorColumn, type ListColumn, WholeListPage } from '../ui/whole-list-page.tsx';
import { pageWithRole } from '../ui/not-allowed.tsx';

const columns: readonly ListColumn<Silence>[] = [
  { id: 'selector', header: 'Selector', isRowHeader: true, cell: ({ selector }) => <Words text={selector} /> },
  { id: 'reason', header: 'Reason', cell: ({ reason }) => <Words text={reason} /> },
  { id: 'until', header: 'Ends', cell: ({ until }) => <Expiry time={until} /> },
  { ...creatorColumn, header: 'Silenced by' },
  { ...createdColumn, header: 'Since' },
  { id: 'end', header: 'Actions', cell: (silence) => <EndButton silence={silence} isInline /> },
];

/** Silences: the objects that cause no attention for some time. */
const Silences = () => (
  <WholeListPage
    title="Silences"
    noun="silences"
    description="Objects that need no attention for some time, for example during planned work."
    list={useSilences()}
    idField="silence_id"
    columns={columns}
    request={requestOf(listSilences, {})}
    action={
      <SilenceButton selector="" variant="primary">
        Add silence
      </SilenceButton>
    }
    empty={{ title: 'No silences', hint: 'The pages of objects and clusters have Silence, too.' }}
  />
);

export const SilencesPage = pageWithRole('Silences', listSilences, Silences);
