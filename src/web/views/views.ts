import type { ComponentType } from 'preact';
import type { RouteName } from '../address/routes.ts';
import type { Scope } from '../data/session.ts';
import type { IconName } from '../parts/icon.tsx';

export interface View {
  /** Loaded when it is first shown. */
  load(): Promise<ComponentType>;
  /** The scope that a key needs to see the view. */
  scope: Scope;
}

/** The same function for both routes, so that the view stays mounted between them. */
async function loadIssues(): Promise<ComponentType> {
  return (await import('./issues/issues-view.tsx')).IssuesView;
}

/** Views inside the shell. `App` itself shows the sign-in view and redirects `/`. */
export const VIEWS: Readonly<Record<Exclude<RouteName, 'home' | 'app' | 'signIn'>, View>> = {
  issues: { load: loadIssues, scope: 'read' },
  issue: { load: loadIssues, scope: 'read' },
  trace: { load: async () => (await import('./trace/trace-view.tsx')).TraceView, scope: 'read' },
  start: { load: async () => (await import('./start/start-view.tsx')).StartView, scope: 'read' },
  traces: { load: async () => (await import('./traces/traces-view.tsx')).TracesView, scope: 'read' },
  agents: { load: async () => (await import('./agents/agents-view.tsx')).AgentsView, scope: 'read' },
  analyticsHome: { load: loadAnalytics, scope: 'read' },
  analytics: { load: loadAnalytics, scope: 'read' },
  detectors: { load: async () => (await import('./detectors/detectors-view.tsx')).DetectorsView, scope: 'read' },
  check: { load: async () => (await import('./check/check-view.tsx')).CheckView, scope: 'read' },
  healing: { load: async () => (await import('./healing/healing-view.tsx')).HealingView, scope: 'read' },
  newPlan: { load: async () => (await import('./healing/new-plan-view.tsx')).NewPlanView, scope: 'write' },
  plan: { load: async () => (await import('./healing/plan-view.tsx')).PlanView, scope: 'read' },
  alerts: { load: async () => (await import('./alerts/alerts-view.tsx')).AlertsView, scope: 'read' },
  imports: { load: async () => (await import('./imports/imports-view.tsx')).ImportsView, scope: 'read' },
  settingsHome: { load: loadSettings, scope: 'read' },
  settings: { load: loadSettings, scope: 'read' },
  conversations: {
    load: async () => (await import('./conversations/conversations-view.tsx')).ConversationsView,
    scope: 'read',
  },
  workflows: { load: async () => (await import('./workflows/workflows-view.tsx')).WorkflowsView, scope: 'read' },
};

async function loadAnalytics() {
  return (await import('./analytics/analytics-view.tsx')).AnalyticsView;
}

async function loadSettings() {
  return (await import('./settings/settings-view.tsx')).SettingsView;
}

interface NavigationEntry {
  route: keyof typeof VIEWS;
  label: string;
  icon: IconName;
  /** Shortcut of the entry. */
  keys: string;
}

/** Navigation entries in display order. */
export const NAVIGATION = [
  { route: 'issues', label: 'Issues', icon: 'issues', keys: 'g i' },
  { route: 'traces', label: 'Traces', icon: 'traces', keys: 'g t' },
  { route: 'agents', label: 'Agents', icon: 'agents', keys: 'g a' },
  { route: 'analyticsHome', label: 'Analytics', icon: 'analytics', keys: 'g y' },
  { route: 'conversations', label: 'Conversations', icon: 'conversations', keys: 'g c' },
  { route: 'workflows', label: 'Workflows', icon: 'workflows', keys: 'g w' },
  { route: 'healing', label: 'Healing', icon: 'healing', keys: 'g f' },
  { route: 'detectors', label: 'Detectors', icon: 'detectors', keys: 'g d' },
  { route: 'alerts', label: 'Alerts', icon: 'alerts', keys: 'g l' },
  { route: 'imports', label: 'Imports', icon: 'imports', keys: 'g m' },
  { route: 'settingsHome', label: 'Settings', icon: 'settings', keys: 'g ,' },
  { route: 'check', label: 'Check', icon: 'check', keys: 'g s' },
  { route: 'start', label: 'Set up', icon: 'start', keys: 'g h' },
] as const satisfies readonly NavigationEntry[];
