import { useSignal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { Button } from './button.tsx';
import { EmptyNotice, LoadingPlaceholder } from './notice.tsx';

type Load<Props> = () => Promise<ComponentType<Props>>;

const loadedViews = new WeakMap<object, unknown>();

interface LazyViewProps<Props> {
  /** Must be the same function at each render: it is the cache key of the loaded component. */
  load: Load<Props>;
  /** Props of the loaded component. */
  props: Props;
}

/** A view whose code is fetched when it is first shown. */
export function LazyView<Props extends object>({ load, props }: LazyViewProps<Props>) {
  const state = useSignal<'waiting' | 'slow' | 'loaded' | 'failed'>(loadedViews.has(load) ? 'loaded' : 'waiting');
  useEffect(() => {
    if (state.peek() === 'loaded') return;
    const timer = setTimeout(() => {
      if (state.peek() === 'waiting') state.value = 'slow';
    }, 150);
    load().then(
      (component) => {
        loadedViews.set(load, component);
        state.value = 'loaded';
      },
      () => {
        state.value = 'failed';
      },
    );
    return () => clearTimeout(timer);
  }, [load]);
  const View = loadedViews.get(load) as ComponentType<Props> | undefined;
  if (state.value === 'loaded' && View) return <View {...props} />;
  if (state.value === 'failed') return <LoadError />;
  return state.value === 'slow' ? <LoadingPlaceholder /> : null;
}

/** Shown when the code cannot be loaded, for example because an update of the server removed the file. */
function LoadError() {
  return (
    <EmptyNotice hasMargin title="This view could not be loaded">
      <p>The server may have been updated or stopped.</p>
      <Button onClick={() => location.reload()}>Load the page again</Button>
    </EmptyNotice>
  );
}
