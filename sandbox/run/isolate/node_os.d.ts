/** The part of node:os that is used here: its default export, whose members are replaced. */
declare const os: Record<string, unknown>;
export default os;
