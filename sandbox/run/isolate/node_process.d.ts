/** The part of node:process that is used here. */
declare const process: { memoryUsage(): { rss: number }; uptime(): number };
export default process;
