export default async (request: Request): Promise<Response> => {
  const { name } = request.method === "POST" ? await request.json() : { name: "world" };
  return Response.json({ message: `Hello ${name}` });
};
