import { useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { set } from '../data/set-signal.ts';

/** Whether an element is narrower than this width in pixels, also after its size changes. */
export function useIsNarrower(width: number): { ref: RefObject<HTMLElement | null>; isNarrower: boolean } {
  const ref = useRef<HTMLElement>(null);
  const isNarrower = useSignal(false);
  useLayoutEffect(() => {
    const element = ref.current!;
    const measure = () => set(isNarrower, element.clientWidth < width);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [width]);
  return { ref, isNarrower: isNarrower.value };
}
