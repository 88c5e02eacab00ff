import FileInput from '@cloudscape-design/components/file-input';
import FormField from '@cloudscape-design/components/form-field';
import Grid from '@cloudscape-design/components/grid';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Textarea from '@cloudscape-design/components/textarea';
import { useState } from 'react';
import { MAX_BULK_BYTES } from '../../functions/domain/bulk/limits.ts';
import { MAX_DESIRED } from '../../functions/domain/bulk/reconcile-request.ts';
import { MAX_REMOVALS_PERCENT } from '../../functions/domain/fields/safety-threshold.ts';
import type { Violation } from '../../shared/core/errors.ts';
import { TextField } from '../ui/text-field.tsx';
import { type ReconcileForm, withFile } from './reconcile-form.ts';
import { numberText } from '../ui/words.ts';

/** Maximum number of messages that are shown. */
const MAX_TOLD = 5;

const example = `{
  "nodes": [
    { "node_type": "generic", "node_name": "shop-1", "address": "10.0.7.1" }
  ],
  "services": [
    { "service_type": "mysql", "service_name": "shop-db", "node_names": ["shop-1"], "address": "10.0.7.1", "port": 3306 }
  ],
  "agents": [
    { "agent_type": "pmm_agent", "runs_on_node_name": "shop-1" }
  ]
}`;

interface Props {
  form: ReconcileForm;
  violations: readonly Violation[];
  onChange: (form: ReconcileForm) => void;
}

function Wrong({ violations }: { violations: readonly Violation[] }) {
  const more = violations.length - MAX_TOLD;
  return (
    <>
      {violations.slice(0, MAX_TOLD).map(({ field, message }, index) => (
        <span key={index} className="line any-word">
          {field === 'desired' ? message : `${field}: ${message}`}
        </span>
      ))}
      {more > 0 && <span className="line">and {numberText(more)} more</span>}
    </>
  );
}

/** The fields of the request: the scope and the desired objects. */
export function ReconcileFields({ form, violations, onChange }: Props) {
  const [tooLarge, setTooLarge] = useState<string>();
  const set = (part: Partial<ReconcileForm>) => onChange({ ...form, ...part });
  const said = (field: string) => violations.find((one) => one.field === field)?.message;
  const ofDesired = violations.filter(({ field }) => field === 'desired' || field.startsWith('desired.'));
  const read = async (file: File | undefined) => {
    if (file === undefined) return;
    if (file.size > MAX_BULK_BYTES) {
      setTooLarge(`${file.name} exceeds ${MAX_BULK_BYTES / 1024 / 1024} MB. Use a smaller scope.`);
      return;
    }
    setTooLarge(undefined);
    onChange(withFile(form, await file.text()));
  };
  const thirds = { default: 12, s: 4 };

  return (
    <SpaceBetween size="l">
      <Grid gridDefinition={[{ colspan: thirds }, { colspan: thirds }, { colspan: thirds }]}>
        <TextField
          label="Name prefix"
          description="Only objects whose name begins with this."
          value={form.namePrefix}
          placeholder="shop-"
          error={said('scope.name_prefix') ?? said('scope')}
          onChange={(namePrefix) => set({ namePrefix })}
        />
        <TextField
          label="Label selector"
          description="Only objects with matching labels."
          value={form.selector}
          placeholder="team=shop,env in (prod,stage)"
          error={said('scope.selector') ?? said('scope')}
          onChange={(selector) => set({ selector })}
        />
        <TextField
          label="Maximum removals, in percent"
          description={`Of the objects in the scope. Default: ${MAX_REMOVALS_PERCENT}.`}
          value={form.maxRemovals}
          inputMode="decimal"
          placeholder={String(MAX_REMOVALS_PERCENT)}
          error={said('max_removals_percent') && 'Must be a number from 0 to 100.'}
          onChange={(maxRemovals) => set({ maxRemovals })}
        />
      </Grid>
      <FormField
        label="Desired objects, as JSON"
        description={`Nodes, services and agents by name, at most ${numberText(MAX_DESIRED)}. Other objects in the scope are removed.`}
        errorText={tooLarge ?? (ofDesired.length === 0 ? undefined : <Wrong violations={ofDesired} />)}
        stretch
      >
        <div className="json">
          <Textarea
            value={form.desired}
            rows={12}
            placeholder={example}
            spellcheck={false}
            autoComplete={false}
            onChange={({ detail }) => set({ desired: detail.value })}
          />
        </div>
      </FormField>
      <FileInput
        value={[]}
        accept=".json,application/json"
        ariaLabel="Read the desired objects from a file"
        onChange={({ detail }) => void read(detail.value[0])}
      >
        Read from a file
      </FileInput>
    </SpaceBetween>
  );
}
