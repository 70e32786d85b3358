package svc.storage.resumable;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.Function;
import svc.platform.memory.ByteBudget;
import svc.storage.content.ContentKey;
import svc.storage.content.PartNumbers;
import svc.storage.content.Stored;
import svc.storage.http.StorageCall;
import svc.storage.object.Waiting;
import svc.storage.resumable.ConcatPlan.Range;
import svc.storage.resumable.ConcatPlan.Step;
import svc.storage.resumable.ResumableUpload.State;

/** Puts partial uploads together to a file, within S3 as far as it can. */
final class Concatenation {
    /** Copies at the same time: one alone is as fast as one disk. */
    private static final int ABREAST = 4;

    private final UploadStores stores;
    private final Function<String, ByteBudget.Account> memory;
    private final Executor threads;

    Concatenation(UploadStores stores, Function<String, ByteBudget.Account> memory, Executor threads) {
        this.stores = stores;
        this.memory = memory;
        this.threads = threads;
    }

    /** @param whole the new upload, which {@code writer} has claimed */
    ResumableUpload join(StorageCall call, ResumableUpload whole, UUID writer, List<ResumableUpload> partials) {
        List<Step> steps =
                ConcatPlan.of(partials.stream().map(ResumableUpload::offset).toList());
        long size = partials.stream().mapToLong(ResumableUpload::offset).sum();
        List<UUID> ids = partials.stream().map(ResumableUpload::id).toList();
        boolean single = steps.isEmpty() || steps.size() == 1 && steps.getFirst() instanceof Step.Gather;
        try (ByteBudget.Permit permit =
                Waiting.forMemory(memory.apply(call.tenant().ref()), ConcatPlan.MAX_GATHERED + ChunkWriter.SLICE)) {
            if (single) {
                byte[] bytes = steps.isEmpty() ? new byte[0] : read(call, (Step.Gather) steps.getFirst(), partials);
                Stored stored =
                        stores.contents().put(ContentKey.fresh(call.tenant().projectId()), bytes, bytes.length);
                return stores.completion().of(call, whole, writer, stored, ids);
            }
            String multipart = stores.contents().resumable().begin(whole.content(call.tenant()));
            copy(call, whole, multipart, steps, partials);
            ResumableUpload completing = stores.rows()
                    .advance(
                            call,
                            whole.id(),
                            writer,
                            new Progress(
                                    size,
                                    OptionalLong.of(size),
                                    multipart,
                                    PartNumbers.upTo(steps.size()),
                                    List.of(),
                                    State.COMPLETING))
                    .orElseThrow(TusError::locked);
            return stores.completion().ofParts(call, completing, writer, ids);
        }
    }

    private void copy(
            StorageCall call,
            ResumableUpload whole,
            String multipart,
            List<Step> steps,
            List<ResumableUpload> partials) {
        for (int first = 0; first < steps.size(); first += ABREAST) {
            List<CompletableFuture<Void>> copies = new ArrayList<>();
            for (int i = first; i < Math.min(steps.size(), first + ABREAST); i++) {
                int number = i + 1;
                // One after the other: they share a buffer's memory.
                switch (steps.get(i)) {
                    case Step.Gather gather -> gather(call, whole, multipart, number, gather, partials);
                    case Step.Copy(Range range) ->
                        copies.add(CompletableFuture.runAsync(
                                () -> copy(call, whole, multipart, number, range, partials), threads));
                }
            }
            await(copies);
        }
    }

    /** All end before one of them fails the whole. */
    private static void await(List<CompletableFuture<Void>> copies) {
        try {
            CompletableFuture.allOf(copies.toArray(CompletableFuture[]::new)).join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }

    private void copy(
            StorageCall call,
            ResumableUpload whole,
            String multipart,
            int number,
            Range range,
            List<ResumableUpload> partials) {
        boolean copied = stores.contents()
                .resumable()
                .copy(
                        whole.content(call.tenant()),
                        multipart,
                        number,
                        partials.get(range.source()).content(call.tenant()),
                        range.from(),
                        range.from() + range.length() - 1);
        if (!copied) {
            throw TusError.gone();
        }
    }

    private void gather(
            StorageCall call,
            ResumableUpload whole,
            String multipart,
            int number,
            Step.Gather gather,
            List<ResumableUpload> partials) {
        byte[] bytes = read(call, gather, partials);
        if (!stores.contents().resumable().put(whole.content(call.tenant()), multipart, number, bytes, bytes.length)) {
            throw TusError.gone();
        }
    }

    private byte[] read(StorageCall call, Step.Gather gather, List<ResumableUpload> partials) {
        byte[] all = new byte[gather.bytes()];
        int filled = 0;
        for (Range range : gather.ranges()) {
            ContentKey key = partials.get(range.source()).content(call.tenant());
            for (long at = 0; at < range.length(); at += ChunkWriter.SLICE) {
                byte[] bytes = stores.contents()
                        .read(key, range.from() + at, (int) Math.min(ChunkWriter.SLICE, range.length() - at))
                        .orElseThrow(TusError::gone);
                System.arraycopy(bytes, 0, all, filled, bytes.length);
                filled += bytes.length;
            }
        }
        return all;
    }
}
