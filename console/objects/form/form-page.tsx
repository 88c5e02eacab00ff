import { agents, nodes, services } from '../../model/kinds.tsx';
import { AddForm } from './add-form.tsx';
import { ChangeForm } from './change-form.tsx';
import { useRoute } from '../../ui/route.tsx';

/** `#/nodes/add` and `#/nodes/<id>/change`, and the same for services and agents. */
export function FormPage() {
  const [folder, id = ''] = useRoute().segments;
  const isAdd = id === 'add';
  switch (folder) {
    case 'services':
      return isAdd ? <AddForm kind={services} /> : <ChangeForm kind={services} id={id} />;
    case 'agents':
      return isAdd ? <AddForm kind={agents} /> : <ChangeForm kind={agents} id={id} />;
    default:
      return isAdd ? <AddForm kind={nodes} /> : <ChangeForm kind={nodes} id={id} />;
  }
}
