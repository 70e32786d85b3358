// The same for code that requires the package.
import client = require("@svc/client");

export const made = client.createClient("https://abcd1234.data.example", "svc_anon_abc", { dbSchema: "proj_0" });
