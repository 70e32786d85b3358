package svc.storage.resumable;

import svc.storage.content.ContentStore;
import svc.storage.content.Disposal;
import svc.storage.object.Quota;

/** What keeps an upload: its row, its bytes, and what becomes of them. */
record UploadStores(
        ResumableRows rows,
        ContentStore contents,
        Disposal disposal,
        Quota quota,
        EndedUploads ended,
        Completion completion) {}
