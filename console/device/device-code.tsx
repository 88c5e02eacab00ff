import { endpoint as answerDevice } from '../../functions/api/device-authorizations/answer/endpoint.ts';
import { call, violationsOf } from '../api/client.tsx';
import { PageForm } from '../ui/page-form.tsx';
import { TextField } from '../ui/text-field.tsx';
import { useSubmit } from '../ui/use-submit.tsx';
import type { Device } from './device-answer.tsx';

interface Props {
  code: string;
  onChange: (code: string) => void;
  onFound: (device: Device) => void;
}

/** The form for the code that a program shows. */
export function DeviceCode({ code, onChange, onFound }: Props) {
  const body = { user_code: code };
  const form = useSubmit({
    check: () => violationsOf(answerDevice.body, body),
    send: async () => onFound(await call(answerDevice, { body })),
  });
  return (
    <PageForm submitText="Continue" form={form} failureTitle="The code was not found">
      <TextField
        label="Code"
        description="Compare it with the code that your program shows. Continue only if they are equal."
        value={code}
        placeholder="BCDF-GHJK"
        ariaRequired
        error={form.said('user_code')}
        onChange={(value) => {
          onChange(value);
          form.forget();
        }}
      />
    </PageForm>
  );
}
