/** What setTimeout and setInterval give. */
export type Timer = ReturnType<typeof setTimeout>;
