/** Where the bytes of a working file lie; the day is that on which its attempt was made. */
export function fileBlobKey(attemptId: string, fileId: string): string {
  const createdAt = new Date(Number.parseInt(attemptId.replaceAll('-', '').slice(0, 12), 16));
  return `files/${createdAt.toISOString().slice(0, 10)}/${attemptId}/${fileId}`;
}
