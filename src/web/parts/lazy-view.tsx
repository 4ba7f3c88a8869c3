import { useSignal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { Button } from './button.tsx';
import { EmptyNotice, Waiting } from './notice.tsx';

type Load<Props> = () => Promise<ComponentType<Props>>;

const loaded = new WeakMap<object, unknown>();

interface LazyViewProps<Props> {
  /** The same function each time: what it loaded is kept under it. */
  load: Load<Props>;
  /** Given to what was loaded. */
  props: Props;
}

/** A view whose code is fetched when it is first shown. */
export function LazyView<Props extends object>({ load, props }: LazyViewProps<Props>) {
  const state = useSignal<'waiting' | 'slow' | 'loaded' | 'failed'>(loaded.has(load) ? 'loaded' : 'waiting');
  useEffect(() => {
    if (state.peek() === 'loaded') return;
    const timer = setTimeout(() => {
      if (state.peek() === 'waiting') state.value = 'slow';
    }, 150);
    load().then(
      (component) => {
        loaded.set(load, component);
        state.value = 'loaded';
      },
      () => {
        state.value = 'failed';
      },
    );
    return () => clearTimeout(timer);
  }, [load]);
  const View = loaded.get(load) as ComponentType<Props> | undefined;
  if (state.value === 'loaded' && View) return <View {...props} />;
  if (state.value === 'failed') return <ViewMissing />;
  return state.value === 'slow' ? <Waiting /> : null;
}

/** After an update of the server the page asks for a file that is gone. */
function ViewMissing() {
  return (
    <EmptyNotice isPage title="This view could not be loaded">
      <p>The server may have been updated or stopped.</p>
      <Button onClick={() => location.reload()}>Load the page again</Button>
    </EmptyNotice>
  );
}
