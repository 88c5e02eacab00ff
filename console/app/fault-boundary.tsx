import { base } from '../api/base.tsx';
import { Component, type ReactNode } from 'react';
import { UNREACHABLE } from '../api/client.tsx';
import { connection } from '../api/connection.ts';

interface State {
  cause: 'none' | 'fault' | 'unreachable';
}

interface Props {
  /** Called if the server cannot be reached. */
  unreachable?: () => void;
  /** Called if the server can be reached. */
  reachable?: () => void;
  children: ReactNode;
}

/** Whether the server can be reached. */
const isReachable = () =>
  fetch(`${base}/favicon.svg`, { cache: 'no-store' }).then(
    () => true,
    () => false,
  );

/**
 * Replaces content that could not be shown: because of a fault of the console, or of a script that could not be loaded,
 * because a newer version has replaced it or the server cannot be reached.
 */
export class FaultBoundary extends Component<Props, State> {
  override state: State = { cause: 'none' };

  static getDerivedStateFromError(): State {
    return { cause: 'fault' };
  }

  override componentDidCatch(): void {
    void isReachable().then((answers) => {
      if (answers) {
        this.props.reachable?.();
        return;
      }
      this.setState({ cause: 'unreachable' });
      this.props.unreachable?.();
      connection.lost();
    });
  }

  override render(): ReactNode {
    const { cause } = this.state;
    if (cause === 'none') return this.props.children;
    return (
      <div className="login-card fault" role="alert">
        <h1>This page cannot be shown</h1>
        <p>
          {cause === 'unreachable' ? UNREACHABLE : 'The console may have been updated since it was opened. Reload it.'}
        </p>
        <button type="button" className="login-button" onClick={() => location.reload()}>
          Reload
        </button>
      </div>
    );
  }
}
