import { estimateTokenCount } from 'tokenx';
import { AppError } from '../../core/app-error.ts';
import { toRfc3339 } from '../../core/clock.ts';
import type { ModelInfo } from '../../core/model-catalog.ts';
import type { Severity } from '../../core/severity.ts';
import { DEFAULT_THRESHOLDS, type Thresholds } from '../../core/thresholds.ts';
import { CONFIDENCE_CEILING } from '../../detectors/_kit/calibration.ts';
import { checkHallucination, type HallucinationCheck } from '../../detectors/_readings/support/check-hallucination.ts';
import { severityOf } from '../../detectors/_runner/severity-rule.ts';
import { checkText, type TextCheck } from '../../detectors/injection/check-text.ts';
import { FAMILY_MEANING } from '../../detectors/injection/detector.ts';
import type { Suspicion } from '../../detectors/injection/scan.ts';
import type { OfflineModelCatalog } from '../../formats/model-catalog/catalog.ts';
import { PRICED_AT } from '../../formats/model-catalog/price-list.ts';
import { DEFAULT_DETECTION, type TenantDetection } from '../analysis/tenant-detection.ts';
import { type Channel, channelOf } from '../predictions/text-channel.ts';
import { type TextInRun, textInRun } from './text-in-run.ts';

export interface InjectionCheck {
  is_injection: boolean;
  /** Probability of an attack, if attacks and ordinary texts are equally frequent. */
  confidence: number;
  /** 0–0.99; from 0.5 a text counts as an injection. One ordinary text in a hundred reaches that. */
  score: number;
  /** The channel that the text was scored in: a user, who may give instructions, or data, which may not. */
  channel: Channel;
  /** Kind of attack at the place with the highest score; null if there is none. */
  attack_type: string | null;
  severity: Severity | null;
  matches: { start: number; end: number; quote: string; why: string }[];
  explanation: string;
  in_run: TextInRun;
}

export interface HallucinationFigures {
  is_hallucination: boolean;
  confidence: number;
  /** 0–1: probability that the sources support all of it; null if they could not be compared. */
  grounding_score: number | null;
  sentences: { text: string; supported: boolean; score: number; missing: string[] }[];
  explanation: string;
}

export interface OverflowCheck {
  tokens: number;
  context_window: number;
  utilization: number;
  risk: 'ok' | 'warning' | 'critical';
  recommendation: string;
}

export interface CostFigures {
  model: string;
  input_tokens: number;
  cost_usd: number;
  price: { input_per_million_usd: number | null; output_per_million_usd: number | null };
  as_of: string;
}

export interface ModelRecord {
  model: string;
  provider: string;
  context_window: number | null;
  input_per_million_usd: number | null;
  output_per_million_usd: number | null;
}

/** Shares of the context window from which the size of a text is a warning, and critical. */
export type ContextRatios = Pick<Thresholds, 'contextWarningRatio' | 'contextCriticalRatio'>;

export interface SecurityService {
  /** @param channel derived from the form of the text if omitted @param tenant the default settings if omitted */
  checkInjection(text: string, channel?: Channel, tenant?: TenantDetection): InjectionCheck;
  /** Checks whether the sources support an output. */
  checkHallucination(output: string, sources: readonly string[]): HallucinationFigures;
  /** @throws AppError `invalid_body` for a model that is unknown or whose context window is */
  checkOverflow(text: string, model: string, ratios?: ContextRatios): OverflowCheck;
  /** @throws AppError `invalid_body` for a model that is unknown or has no price */
  calculateCost(text: string, model: string): CostFigures;
  models(): { as_of: string; items: ModelRecord[]; total: number };
}

const QUOTE_LENGTH = 300;

export function createSecurityService(models: OfflineModelCatalog): SecurityService {
  function modelOf(name: string): ModelInfo {
    const model = models.find(name);
    if (model) return model;
    const nearest = models.nearestModels(name);
    const hint = nearest.length > 0 ? ` Did you mean ${nearest.join(', ')}?` : '';
    return throwInvalidModel(`There is no model ${name} in the price list.${hint}`);
  }

  return {
    checkInjection(text, channel = channelOf(text, false), tenant = DEFAULT_DETECTION) {
      const inRun = textInRun(text, channel, { models, tenant });
      return { ...toInjectionCheck(text, channel, checkText(text, channel)), in_run: inRun };
    },
    checkHallucination: (output, sources) => toHallucination(checkHallucination(output, sources)),
    checkOverflow(text, name, ratios = DEFAULT_THRESHOLDS) {
      const { contextWindow, id } = modelOf(name);
      if (contextWindow === null) return throwInvalidModel(`The context window of ${id} is not known.`);
      return toOverflowCheck(estimateTokenCount(text), contextWindow, ratios);
    },
    calculateCost(text, name) {
      const model = modelOf(name);
      const inputTokens = estimateTokenCount(text);
      const costUsd = models.costUsd(name, null, { inputTokens, outputTokens: 0 });
      if (costUsd === null) return throwInvalidModel(`The price of ${model.id} is not known.`);
      const price = {
        input_per_million_usd: model.inputPerMillionUsd,
        output_per_million_usd: model.outputPerMillionUsd,
      };
      return {
        model: model.id,
        input_tokens: inputTokens,
        cost_usd: costUsd,
        price,
        as_of: toRfc3339(PRICED_AT.getTime()),
      };
    },
    models() {
      const items = models.listModels().map(toModelRecord);
      return { as_of: toRfc3339(PRICED_AT.getTime()), items, total: items.length };
    },
  };
}

function throwInvalidModel(message: string): never {
  throw new AppError('invalid_body', message, { errors: [{ pointer: '/model', message }] });
}

function toHallucination(found: HallucinationCheck): HallucinationFigures {
  return {
    is_hallucination: found.isHallucination,
    confidence: found.confidence,
    grounding_score: found.groundingScore,
    sentences: found.sentences.map(({ text, supported, score, missing }) => ({ text, supported, score, missing })),
    explanation: found.explanation,
  };
}

function toInjectionCheck(text: string, channel: Channel, found: TextCheck): Omit<InjectionCheck, 'in_run'> {
  const { isInjection, score, confidence, suspicions } = found;
  const mostConfident = suspicions[0];
  return {
    is_injection: isInjection,
    confidence: confidence.value,
    score: Math.min(CONFIDENCE_CEILING, Math.round(score * 1000) / 1000),
    channel,
    attack_type: mostConfident?.families[0] ?? null,
    severity: isInjection ? severityOf('warning', confidence.value) : null,
    matches: suspicions.map(({ start, end, families }) => ({
      start,
      end,
      quote: text.slice(start, end).slice(0, QUOTE_LENGTH),
      why: families.map((family) => FAMILY_MEANING[family]).join('; '),
    })),
    explanation: explainInjection(mostConfident, isInjection),
  };
}

function explainInjection(mostConfident: Suspicion | undefined, isInjection: boolean): string {
  if (mostConfident === undefined) return 'The text does not try to give the model instructions.';
  const why = mostConfident.families.map((family) => FAMILY_MEANING[family]).join('; ');
  return isInjection ? `The text gives the model orders: ${why}.` : `A weak sign only: ${why}.`;
}

function toOverflowCheck(
  tokens: number,
  contextWindow: number,
  { contextWarningRatio, contextCriticalRatio }: ContextRatios,
): OverflowCheck {
  const utilization = Math.round((tokens / contextWindow) * 10_000) / 10_000;
  const risk = utilization >= contextCriticalRatio ? 'critical' : utilization >= contextWarningRatio ? 'warning' : 'ok';
  const target = Math.floor(contextWindow * contextWarningRatio);
  const recommendation =
    risk === 'ok'
      ? `${contextWindow - tokens} tokens are left for the rest of the prompt and the answer.`
      : `Shorten or summarize it to at most ${target} tokens, so that the answer has room.`;
  return { tokens, context_window: contextWindow, utilization, risk, recommendation };
}

function toModelRecord(model: ModelInfo): ModelRecord {
  return {
    model: model.id,
    provider: model.provider,
    context_window: model.contextWindow,
    input_per_million_usd: model.inputPerMillionUsd,
    output_per_million_usd: model.outputPerMillionUsd,
  };
}
