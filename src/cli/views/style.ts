import { styleText } from 'node:util';
import type { Severity } from '../../core/severity.ts';

type Format = Parameters<typeof styleText>[0];

/** Adds colors to text; returns it unchanged if colors are off. */
export interface Style {
  bold(text: string): string;
  dim(text: string): string;
  success(text: string): string;
  severity(severity: Severity, text: string): string;
}

const OF_SEVERITY: Record<Severity, Format> = {
  critical: ['bold', 'red'],
  warning: ['bold', 'yellow'],
  info: 'cyan',
  observation: 'dim',
};

export function createStyle(isColored: boolean): Style {
  const paint = (format: Format, text: string) =>
    isColored ? styleText(format, text, { validateStream: false }) : text;
  return {
    bold: (text) => paint('bold', text),
    dim: (text) => paint('dim', text),
    success: (text) => paint('green', text),
    severity: (severity, text) => paint(OF_SEVERITY[severity], text),
  };
}
