// What "helm test" asks of a platform. With a token it also creates a project, and deletes it however the test ends.
const control = Deno.env.get("CONTROL_PLANE");
const data = Deno.env.get("DATA_PLANE");
const token = Deno.env.get("TOKEN");
const NAME = "svc-helm-test";
const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };

async function ask(what, url, options = {}, expected = [200]) {
  const answer = await fetch(url, { ...options, signal: AbortSignal.timeout(60_000) });
  const body = await answer.text();
  if (!expected.includes(answer.status)) throw new Error(`${what}: ${answer.status} ${body}`);
  console.log(`${what}: ${answer.status}`);
  return body;
}

// A network plugin may learn of the address of a pod after the pod starts. Until then NetworkPolicies refuse its connections.
async function awaitConnection(url) {
  for (const end = Date.now() + 60_000; ; ) {
    try {
      const answer = await fetch(url, { signal: AbortSignal.timeout(60_000) });
      return await answer.body?.cancel();
    } catch (error) {
      if (Date.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }
}

async function createProject() {
  // Retain, the default, would leave the schema and the roles in the database.
  const body = JSON.stringify({ name: NAME, deletion_policy: "Delete" });
  const answer = await ask("a project is created", `${control}/v1/projects`, { method: "POST", headers, body }, [201]);
  const { project } = JSON.parse(answer);
  if (project.status === "COMING_UP") throw new Error(`the project ${project.ref} is not ready: ${answer}`);
}

// By its name: the answer that has its ref may be lost, and an earlier test may have been killed.
async function deleteProjects() {
  const projects = JSON.parse(await ask("projects are listed", `${control}/v1/projects`, { headers }));
  for (const { ref } of projects.filter((project) => project.name === NAME)) {
    await ask(`the project ${ref} is deleted`, `${control}/v1/projects/${ref}`, { method: "DELETE", headers }, [200, 202, 204, 404]);
  }
}

for (const plane of [control, data]) await awaitConnection(`${plane}/q/health/ready`);
const status = JSON.parse(await ask("the gateway's status", `${control}/status`));
if (status.status !== "ok") throw new Error(`the gateway is ${status.status}`);
await ask("the control plane is ready", `${control}/q/health/ready`);
await ask("the data plane is ready", `${data}/q/health/ready`);
await ask("no call without a token", `${control}/v1/projects`, {}, [401]);
if (token) {
  try {
    await createProject();
  } finally {
    await deleteProjects();
  }
}
