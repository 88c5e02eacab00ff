import { Component, type ReactNode } from 'react';

interface Props {
  children: ReactNode;
}

/**
 * In the place of what could not be shown: a fault of the console, or a part of it that is not there any more because a
 * newer version was put in its place.
 */
export class FaultBoundary extends Component<Props, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    return (
      <div className="login-card fault" role="alert">
        <h1>This page cannot be shown</h1>
        <p>The console may have been updated since it was opened. Load it again.</p>
        <button type="button" className="login-button" onClick={() => location.reload()}>
          Load again
        </button>
      </div>
    );
  }
}
