// Agents of LangChain 1 and graphs without prebuilt parts, with the same spans as those of LangGraph.
export { open } from './langgraph.mjs';
