// What "helm test" asks of a platform. With a token it also makes a project and deletes it again.
const control = Deno.env.get("CONTROL_PLANE");
const data = Deno.env.get("DATA_PLANE");
const token = Deno.env.get("TOKEN");

async function ask(what, url, options = {}, expected = [200]) {
  const answer = await fetch(url, { ...options, signal: AbortSignal.timeout(60_000) });
  const body = await answer.text();
  if (!expected.includes(answer.status)) throw new Error(`${what}: ${answer.status} ${body}`);
  console.log(`${what}: ${answer.status}`);
  return body;
}

const status = JSON.parse(await ask("the gateway's status", `${control}/status`));
if (status.status !== "ok") throw new Error(`the gateway is ${status.status}`);
await ask("the control plane is ready", `${control}/q/health/ready`);
await ask("the data plane is ready", `${data}/q/health/ready`);
await ask("no call without a token", `${control}/v1/projects`, {}, [401]);
if (token) {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const body = JSON.stringify({ name: "helm-test" });
  const made = await ask("a project is made", `${control}/v1/projects`, { method: "POST", headers, body }, [201]);
  const ref = JSON.parse(made).project.ref;
  await ask("and deleted", `${control}/v1/projects/${ref}`, { method: "DELETE", headers }, [200, 202, 204]);
}
