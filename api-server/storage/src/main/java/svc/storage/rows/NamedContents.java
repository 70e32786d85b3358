package svc.storage.rows;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import svc.platform.tenancy.Tenant;
import svc.storage.content.ContentKey;

/** Which contents a row of a project names: a file's, or one of what is to be a file. */
public final class NamedContents {
    private final Source files;
    private final List<Source> others;

    /** Rows that name contents. */
    @FunctionalInterface
    public interface Source {
        Set<ContentKey> known(Tenant tenant, List<ContentKey> keys);
    }

    /** @param others whose contents become those of files, and never the other way: so they are asked first */
    public NamedContents(ContentRows files, Source... others) {
        this.files = (tenant, keys) -> new HashSet<>(files.known(tenant, keys));
        this.others = List.of(others);
    }

    /** Those of these contents that a row names. */
    public List<ContentKey> known(Tenant tenant, List<ContentKey> keys) {
        Set<ContentKey> known = new HashSet<>();
        others.forEach(source -> known.addAll(source.known(tenant, keys)));
        known.addAll(files.known(tenant, keys));
        return List.copyOf(known);
    }
}
